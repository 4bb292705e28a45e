import { SettingList } from '../../contract/settings.ts'
import type { App } from '../deps.ts'

/** Route for the settings of this process; a talhouse extension. */
export function settingRoutes(api: App, settings: SettingList['settings']): void {
  api.get(
    '/v2/settings',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['keys'],
        operationId: 'listSettings',
        summary: 'List settings',
        description:
          'Returns the effective settings of the serving process, with the source of each setting. Secrets are not returned. talhouse extension.',
        response: { 200: SettingList },
      },
    },
    async () => ({ settings }),
  )
}
