import type { Db } from '../../db/database.ts'
import { readResult } from '../../tasks/read-result.ts'
import { clientOfTask } from '../../tasks/read-task.ts'
import type { Command } from './command.ts'
import { formatRecord, formatRows } from './output.ts'

/** Prints a task with its results and returns its status. */
export async function printTask({ out }: Command, db: Db, taskId: string): Promise<string> {
  const clientId = await clientOfTask(db, taskId)
  const { output_data, input_data, ...task } = await readResult(db, clientId, taskId)
  out.result({ client_id: clientId, ...task, input_data, output_data }, () => {
    const tables = Object.entries(output_data ?? {}).flatMap(([name, rows]) =>
      Array.isArray(rows) && rows.length > 0 ? [`\n${name}`, formatRows(rows as object[] as [], 'table')] : [],
    )
    return [formatRecord({ client_id: clientId, ...task }), ...tables].join('\n')
  })
  return task.status
}
