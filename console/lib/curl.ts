/** Formats a request as a shell command. The command reads the API key from the environment. */
export function curlCommand(method: string, url: string, body?: unknown): string {
  const verb = method === 'GET' ? '' : `-X ${method} `
  const lines = [`curl -s ${verb}${quote(url)}`, `-H "x-api-key: $TALHOUSE_SERVICE_API_KEY"`]
  if (body !== undefined) lines.push(`-H 'content-type: application/json'`, `-d ${quote(JSON.stringify(body))}`)
  return lines.join(' \\\n  ')
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
