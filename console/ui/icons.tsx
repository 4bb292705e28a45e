const PATHS = {
  overview: 'M3 9.5 8 4l5 5.5M4.5 8.5V13h7V8.5',
  accounts: 'M3 4.5h10M3 8h10M3 11.5h6',
  personnel:
    'M6.5 7.5a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4M2.5 13c0-2.2 1.7-3.6 4-3.6s4 1.4 4 3.6M12.5 5.5v4M10.5 7.5h4',
  firms: 'M2.5 13h11M4 13V6l4-2.5L12 6v7M6.5 13v-3h3v3',
  runs: 'M8 3a5 5 0 1 0 5 5M8 5.5V8l2 1.5M10 2.5l3 .5-.5 3',
  tasks: 'M3.5 4.5 5 6l2-2.5M3.5 10 5 11.5 7 9M9 5h4M9 10.5h4',
  spending:
    'M8 2.5v11M11 5c-.5-1-1.5-1.5-3-1.5-2 0-3 .8-3 2.2C5 8.6 11 7.2 11 10.2c0 1.5-1.2 2.3-3 2.3-1.6 0-2.7-.6-3.2-1.7',
  trust: 'M8 2.5 13 4.5v3.5c0 3-2 4.8-5 5.8-3-1-5-2.8-5-5.8V4.5zM6 8l1.5 1.5L10.2 6.5',
  sql: 'M3.5 4.5 7 8l-3.5 3.5M8.5 11.5h4.5',
  webhooks: 'M3 8h7M7.5 5 10.5 8l-3 3M13 3.5v9',
  keys: 'M10 3.5a2.5 2.5 0 1 1-2 4L3 12.5v1h2.5V12H7v-1.5l1.5-1',
  settings: 'M3 5h5M11 5h2M3 11h2M8 11h5M9.5 3.5v3M6.5 9.5v3',
  reference: 'M4 3h6.5A1.5 1.5 0 0 1 12 4.5V13H5.5A1.5 1.5 0 0 1 4 11.5zM6.5 6h3M6.5 8.5h3',
  menu: 'M3 4.5h10M3 8h10M3 11.5h10',
} as const

export type IconName = keyof typeof PATHS

export const Icon = ({ name }: { name: IconName }) => (
  <svg
    width="16"
    height="16"
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.4"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={PATHS[name]} />
  </svg>
)
