/** All providers, in the order of the documentation. A new one is a file in this folder and a line here. */
import { apple } from './apple.ts'
import { discord } from './discord.ts'
import { facebook } from './facebook.ts'
import { github } from './github.ts'
import { google } from './google.ts'
import { huggingface } from './huggingface.ts'
import { microsoft } from './microsoft.ts'
import { spotify } from './spotify.ts'
import { twitch } from './twitch.ts'
import { twitter } from './twitter.ts'

export const providers = { apple, discord, facebook, github, microsoft, google, huggingface, spotify, twitch, twitter }
