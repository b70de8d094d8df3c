/** All providers, in the order of the documentation. A new one is a file in this folder and a line here. */
import { github } from './github.ts'
import { google } from './google.ts'
import { spotify } from './spotify.ts'

export const providers = { google, github, spotify }
