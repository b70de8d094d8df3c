/** All providers, in the order of the documentation. A new one is a file in this folder and a line here. */
import { apple } from './apple.ts'
import { atlassian } from './atlassian.ts'
import { discord } from './discord.ts'
import { dropbox } from './dropbox.ts'
import { facebook } from './facebook.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { google } from './google.ts'
import { huggingface } from './huggingface.ts'
import { kick } from './kick.ts'
import { linkedin } from './linkedin.ts'
import { microsoft } from './microsoft.ts'
import { notion } from './notion.ts'
import { reddit } from './reddit.ts'
import { roblox } from './roblox.ts'
import { slack } from './slack.ts'
import { spotify } from './spotify.ts'
import { tiktok } from './tiktok.ts'
import { twitch } from './twitch.ts'
import { twitter } from './twitter.ts'
import { vk } from './vk.ts'
import { zoom } from './zoom.ts'

export const providers = {
  apple,
  discord,
  facebook,
  github,
  microsoft,
  google,
  huggingface,
  spotify,
  twitch,
  twitter,
  dropbox,
  kick,
  linkedin,
  gitlab,
  tiktok,
  reddit,
  roblox,
  vk,
  zoom,
  slack,
  notion,
  atlassian,
}
