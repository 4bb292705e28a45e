import type { Static } from 'typebox'
import { Type } from 'typebox'
import { named } from './named.ts'

export const SettingList = named(
  'SettingList',
  Type.Object({
    settings: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Path in the settings file, such as http.port.' }),
        variable: Type.String({ description: 'Environment variable for the setting.' }),
        value: Type.Unknown({ description: 'Effective value. Secrets are null; passwords in URLs are removed.' }),
        source: Type.Enum(['default', 'file', 'environment']),
      }),
      { description: 'Settings in the order of the settings file, followed by the secrets that are set.' },
    ),
  }),
)
export type SettingList = Static<typeof SettingList>
