import { once } from 'node:events'
import type { CommandModule } from 'yargs'
import { startDemoWeb } from '../../demo/start-demo-web.ts'
import type { CommonArguments } from '../support/command.ts'
import { run } from '../support/command.ts'
import { wholeNumber } from '../support/whole-number.ts'

interface DemoArguments extends CommonArguments {
  companies: number
  seed: number
  port: number
}

export const demoCommand: CommandModule<object, DemoArguments> = {
  command: 'demo',
  describe: 'Serve the websites of invented companies on loopback until stopped',
  builder: (options) =>
    options
      .option('companies', { ...wholeNumber('--companies', 1, 100_000), default: 40, describe: 'How many companies' })
      .option('seed', { ...wholeNumber('--seed', 0), default: 1, describe: 'Other companies for another number' })
      .option('port', {
        ...wholeNumber('--port', 0, 65_535),
        default: 8099,
        describe: 'Port on 127.0.0.1; 0 takes a free one',
      }),
  handler: run(async ({ out, signal }, { companies, seed, port }) => {
    await using web = await startDemoWeb({ companies, seed, port })
    const sites = web.answerKey.map(({ domain, layout, markup, quirk }) => ({ domain, layout, markup, quirk }))
    out.result(
      { port: web.port, connect_to: web.connectTo, extra_ca_files: [web.authorityFile], companies: sites },
      () =>
        [
          ...sites.map(
            ({ domain, layout, markup, quirk }) =>
              `${domain}  (${layout}, ${markup}${quirk === 'none' ? '' : `, ${quirk}`})`,
          ),
          '',
          `${sites.length} invented companies at 127.0.0.1:${web.port}. Ctrl-C stops them. To enrich them, start the service with`,
          `  TALHOUSE_FETCHING_CONNECT_TO='${web.connectTo.join(',')}' TALHOUSE_FETCHING_EXTRA_CA_FILES='${web.authorityFile}'`,
          'To look at one yourself:',
          `  curl -L --cacert ${web.authorityFile} --connect-to ::127.0.0.1:${web.port} http://${sites[0]?.domain}/`,
        ].join('\n'),
    )
    if (!signal.aborted) await once(signal, 'abort')
    return undefined
  }),
}
