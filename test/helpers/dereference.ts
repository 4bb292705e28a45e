/** Replaces every `$ref` in a JSON document with the part it points to. The document must not be recursive. */
export function dereference<Document>(document: Document): Document {
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit)
    if (typeof node !== 'object' || node === null) return node
    if ('$ref' in node) return visit(resolve(document, String(node.$ref)))
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, visit(value)]))
  }
  return visit(document) as Document
}

const resolve = (document: unknown, ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((node, name) => (node as Record<string, unknown>)[name], document)
