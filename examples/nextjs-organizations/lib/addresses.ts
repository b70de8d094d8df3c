/** Where Latchkey and this app are, for the server and the browser. */
export const latchkeyOrigin = process.env.NEXT_PUBLIC_LATCHKEY_URL ?? 'http://localhost:4000'
export const baseURL = `${latchkeyOrigin}/api/auth`
export const appURL = process.env.APP_URL ?? 'http://localhost:3000'
