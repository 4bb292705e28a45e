import { once } from 'node:events'
import { startDemoWeb } from '../../demo/start-demo-web.ts'
import type { Handler } from '../support/definition.ts'

interface Arguments {
  companies: number
  seed: number
  port: number
}

export const demo: Handler<Arguments> = async ({ out, signal }, { companies, seed, port }) => {
  await using web = await startDemoWeb({ companies, seed, port })
  const sites = web.answerKey.map(({ domain, layout, markup, quirk }) => ({ domain, layout, markup, quirk }))
  out.result({ port: web.port, connect_to: web.connectTo, extra_ca_files: [web.authorityFile], companies: sites }, () =>
    [
      ...sites.map(
        ({ domain, layout, markup, quirk }) =>
          `${domain}  (${layout}, ${markup}${quirk === 'none' ? '' : `, ${quirk}`})`,
      ),
      '',
      `Serving ${sites.length} demo companies on 127.0.0.1:${web.port}. Press Ctrl-C to stop.`,
      'To enrich them, start the service with',
      `  TALHOUSE_FETCHING_CONNECT_TO='${web.connectTo.join(',')}' TALHOUSE_FETCHING_EXTRA_CA_FILES='${web.authorityFile}'`,
      'Open one:',
      `  curl -L --cacert ${web.authorityFile} --connect-to ::127.0.0.1:${web.port} http://${sites[0]?.domain}/`,
    ].join('\n'),
  )
  if (!signal.aborted) await once(signal, 'abort')
}
