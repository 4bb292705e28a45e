// Preloaded by test/chaos/dates.ts. Passes the shifted clock to child processes with a separate environment, such as
// PostgreSQL.
import { ChildProcess } from 'node:child_process'

const KEPT = ['LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC', 'NO_FAKE_STAT']
const { spawn } = ChildProcess.prototype
ChildProcess.prototype.spawn = function (options) {
  const given = new Set(options.envPairs?.map((pair) => pair.slice(0, pair.indexOf('='))))
  const missing = KEPT.filter((name) => process.env[name] !== undefined && !given.has(name))
  const pairs = missing.map((name) => `${name}=${process.env[name]}`)
  // libfaketime creates its semaphore when it is loaded, which must be after `setpriv` has changed the user.
  if (options.file === 'setpriv') options.args.splice(commandIn(options.args), 0, 'env', ...pairs)
  else options.envPairs?.push(...pairs)
  return spawn.call(this, options)
}

/** Returns the index of the command among the arguments of `setpriv`. */
const commandIn = (args) => args.findIndex((argument, place) => place > 0 && !argument.startsWith('-'))
