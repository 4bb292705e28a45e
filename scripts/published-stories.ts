/**
 * `npm run generate -- published-stories REPOSITORIES FOLDER [TABLE]`: assembles the published stories whose addresses
 * and labels are in TABLE from the public repositories in the folder REPOSITORIES, and writes them to
 * `FOLDER/stories.tsv` (see `readStories`). TABLE is a file or the name of a set in `STORY_TABLES`; the default is
 * `training`. Lists the stories that are missing or changed, and exits with 1 if there are any.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assembleStories, readAddresses, STORY_TABLES } from '../test/eval/published-stories.ts'

const [repositories, folder, table = 'training'] = process.argv.slice(2)
if (repositories === undefined || folder === undefined) {
  console.error('Usage: npm run generate -- published-stories REPOSITORIES FOLDER [TABLE]')
  process.exitCode = 2
} else {
  const { stories, problems } = assembleStories(repositories, readAddresses(STORY_TABLES[table] ?? table))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'stories.tsv'), stories)
  for (const problem of problems) console.error(problem)
  console.log(
    `${stories.split('\n').length - 2} stories in ${join(folder, 'stories.tsv')}, ${problems.length} not found`,
  )
  process.exitCode = problems.length > 0 ? 1 : 0
}
