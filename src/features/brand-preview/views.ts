/** The hosted pages of the preview: each in a state, with example data. */
import { emptyPage, type HostedPages, type PageRequest } from '../../core/hosted.ts'

const user = { id: 'example', name: 'Ada Lovelace', email: 'ada@example.com', emailVerified: true }
const kept = { email: user.email }
const failed = (code: string, message: string) => ({
  failure: { code, message, requestId: 'Q7mXk2Zr9LpT', retryAfter: null },
})

const views: Readonly<Record<string, Pick<PageRequest, 'path'> & Partial<PageRequest>>> = {
  'sign-in': { path: '/sign-in' },
  'sign-in-failed': {
    path: '/sign-in',
    ...failed('INVALID_EMAIL_OR_PASSWORD', 'Invalid email or password'),
    form: { call: 'POST /sign-in/email', values: { email: user.email } },
  },
  'sign-up': { path: '/sign-up' },
  'verification-sent': { path: '/check-email', parameters: { reason: 'verify' }, kept },
  'forgot-password': { path: '/forgot-password' },
  'reset-sent': { path: '/check-email', parameters: { reason: 'reset' }, kept },
  'reset-password': { path: '/reset-password', kept: { token: 'example' } },
  'email-verified': { path: '/email-verified' },
  invitation: {
    path: '/accept-invitation',
    parameters: { id: 'example' },
    session: { user },
    data: {
      ...{ id: 'example', organizationId: 'example', organizationName: 'Halden Ferry', role: 'member' },
      ...{ inviterEmail: 'grace@example.com', expiresAt: '2030-01-01T12:00:00.000Z' },
    },
  },
  'signed-out': { path: '/signed-out' },
  error: { path: '/error', parameters: { error: 'please_restart_the_process', requestId: 'Q7mXk2Zr9LpT' } },
  'not-found': { path: '' },
}

/** The names of the views that the configuration enables. */
export const pageViews = (pages: HostedPages): string[] =>
  Object.entries(views).flatMap(([name, { path }]) => (path === '' || pages.find(path)?.leadsTo === null ? [name] : []))

/** @returns null for an unknown view */
export function renderView(pages: HostedPages, name: string, request: Pick<PageRequest, 'locale' | 'theme'>): string | null {
  const view = Object.hasOwn(views, name) ? views[name] : undefined
  return view ? pages.render({ ...emptyPage, ...view, ...request }) : null
}
