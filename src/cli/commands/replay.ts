import { replayMembers } from '../../../pipelines/members/replay.ts'
import type { Handler } from '../support/definition.ts'
import { runOnce } from '../support/run-once.ts'

export const replay: Handler<{ dataset: 'members' }> = (command) => runOnce(command, replayMembers)
