import { createSessionReader } from 'latchkey/server'
import { appURL, baseURL } from './addresses'

export const reader = createSessionReader({ baseURL, appURL })
