/** The published client, for what users change in the browser. */
import { createAuthClient } from 'better-auth/client'
import { organizationClient } from 'better-auth/client/plugins'
import { latchkeyOrigin } from './addresses'

export const authClient = createAuthClient({ baseURL: latchkeyOrigin, plugins: [organizationClient()] })
