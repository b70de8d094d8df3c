/** In place of the built hosted pages: they show what they are rendered from. */
const found = (traits) => ({ access: 'anyone', leadsTo: null, keeps: [], read: null, onFailure: null, ...traits })
const pages = new Map([
  ['/sign-in', found({ access: 'optional-session' })],
  ['/error', found({})],
  ['/reset-password', found({ keeps: ['token'] })],
])
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

export const createHostedPages = async ({ base, api, style }) => ({
  paths: [...pages.keys()],
  find: (path) => pages.get(path) ?? null,
  pageOf: () => null,
  render: (request) =>
    `<!doctype html><base href="${base}"><meta name="api" content="${api}"><style>${style}</style><pre>${escaped(JSON.stringify(request))}</pre>`,
  callOf: (_path, call, values) => ({ call, values }),
  methodOf: () => null,
  next: () => null,
})

export const declaredPages = [...pages].map(([path, { access }]) => ({ path, access }))
