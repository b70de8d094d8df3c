/** All providers, in the order of the documentation. A new one is a file in this folder and a line here. */
import { dropbox } from './dropbox.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { google } from './google.ts'
import { kick } from './kick.ts'
import { linkedin } from './linkedin.ts'
import { reddit } from './reddit.ts'
import { roblox } from './roblox.ts'
import { slack } from './slack.ts'
import { spotify } from './spotify.ts'
import { tiktok } from './tiktok.ts'
import { vk } from './vk.ts'
import { zoom } from './zoom.ts'

export const providers = { google, github, spotify, dropbox, kick, linkedin, gitlab, tiktok, reddit, roblox, vk, zoom, slack }
