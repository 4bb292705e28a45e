import type { Channel } from './alert.ts'
import { send } from './post.ts'

/** Posts `{"text": ...}`, which Slack, Mattermost, Rocket.Chat and Discord (with `/slack`) accept. */
export const webhookChannel = (url: string): Channel => ({
  name: 'webhook',
  async send({ source, summary, reasons }) {
    const lines = [`talhouse on ${source}: ${summary}`, ...reasons.map((reason) => `• ${reason}`)]
    await send(url, { text: escapeText(lines.join('\n')) })
  },
})

/** Escapes Slack's control characters, so that text from other systems cannot mention people or hide links. */
const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
