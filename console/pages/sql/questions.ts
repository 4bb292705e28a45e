import text from '../../../docs/questions.md?raw'

/** The documented questions, with their SQL. */
export const QUESTIONS: readonly { title: string; sql: string }[] = [
  ...text.matchAll(/^## \d+\. (.*)\n\n```sql\n([\s\S]*?)\n```/gm),
].map(([, title = '', sql = '']) => ({ title, sql }))
