import { replayHistory } from '../../../pipelines/history/replay.ts'
import { replayMembers } from '../../../pipelines/members/replay.ts'
import type { Handler } from '../support/definition.ts'
import { runOnce } from '../support/run-once.ts'

const PIPELINES = { members: replayMembers, history: replayHistory }

export const replay: Handler<{ dataset: keyof typeof PIPELINES }> = (command, { dataset }) =>
  runOnce(command, PIPELINES[dataset])
