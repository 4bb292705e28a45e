import type { Definition, Group } from '../../src/cli/support/definition.ts'
import { helpText } from '../../src/cli/support/help-text.ts'

const WIDTH = 100

/** Documents every command as Markdown, with the text that `--help` prints. */
export async function documentCommands(entries: readonly (Definition | Group)[]): Promise<string> {
  const sections = await Promise.all(
    entries.map(async (entry) => {
      const help = async (definition: Definition, path: readonly string[]) =>
        `\`\`\`text\n${await helpText(entries, path, definition, WIDTH)}\n\`\`\`\n`
      if (!('commands' in entry)) return `## talhouse ${entry.name}\n\n${await help(entry, [entry.name])}`
      const commands = entry.commands.map(
        async (each) => `### talhouse ${entry.name} ${each.name}\n\n${await help(each, [entry.name, each.name])}`,
      )
      return `## talhouse ${entry.name}\n\n${entry.describe}.\n\n${(await Promise.all(commands)).join('\n')}`
    }),
  )
  return `# Commands\n\nEvery command with its arguments and options, as printed by \`--help\`. [Exit codes](operations.md#exit-codes) are the same for
all commands.\n\n${sections.join('\n')}`
}
