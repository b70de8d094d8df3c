import { protect } from 'latchkey/server/nuxt'

export default defineEventHandler(protect(reader, { isProtected: (path) => path.startsWith('/account') }))
