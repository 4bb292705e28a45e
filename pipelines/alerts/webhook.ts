import type { Channel } from './alert.ts'
import { linesOf } from './alert.ts'
import { send } from './post.ts'

/** Posts `{"text": ...}`, which Slack, Mattermost, Rocket.Chat and Discord (with `/slack`) accept. */
export const webhookChannel = (url: string): Channel => ({
  name: 'webhook',
  async send(alert) {
    const text = `talhouse on ${alert.source}: ${linesOf(alert, '• ').join('\n')}`
    await send(url, { text: escapeText(text) })
  },
})

/** Escapes Slack's control characters, so that text from other systems cannot mention people or hide links. */
const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
