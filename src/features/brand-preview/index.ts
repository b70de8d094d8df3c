/** The preview of a brand: hosted pages and emails as they would be, before the configuration is changed. Nothing is stored. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { coverPatterns } from '../../core/brand.ts'
import { ApiError, defineErrors } from '../../core/errors.ts'
import { permission } from '../../core/permissions.ts'
import type { Dashboard } from '../../core/ports.ts'
import { readPublicSettings } from '../../core/public-settings.ts'
import { html } from '../../core/reply.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { transaction } from '../../core/transaction.ts'
import { recordEvent } from '../audit/index.ts'
import { accentOf, accentOption, type Branding, imageURL, radiusOf, radiusOption } from '../dashboard/index.ts'
import type { Config } from '../index.ts'
import { errors as operationErrors } from '../operations/index.ts'
import {
  canDeliver,
  countTestMail,
  deliverExample,
  describeFailure,
  type MailExample,
  mailExamplesUnder,
} from '../outbox/index.ts'
import { pageViews, renderView } from './views.ts'

/** For administrators, of the hosted pages. */
export const enabled = ({ admin, dashboard }: Config): boolean => admin.enabled && dashboard.enabled

export const area = 'Operations'
export const plugin = 'admin'

export const errors = defineErrors({
  PREVIEW_NOT_FOUND: [404, 'Preview not found'],
  EMAIL_IS_NOT_CONFIGURED: [400, 'Email is not configured'],
})

export const auditActions = {
  'mail.tested': 'An administrator requested a test email to their own address',
}

/** The page shows the previews in frames. */
export const pageSources = () => ({ 'frame-src': ["'self'"] })

/** A file that the browser has: the server gets its URL, and not the file. */
const objectURL = z.string().regex(/^blob:https?:\/\/[\w.:[\]-]{1,255}\/[\w-]{1,64}$/, 'Expected a blob: URL')
const ratio = z.number().positive().max(1000).nullable()
const image = z.strictObject({ url: z.union([objectURL, imageURL]), ratio })

const proposal = z
  .strictObject({
    appName: z.string().trim().min(1).max(100),
    accent: accentOption.nullable(),
    radius: radiusOption.nullable(),
    cover: z.union([z.enum(coverPatterns), objectURL]).nullable(),
    logo: image.nullable(),
    logoDark: image.nullable(),
    font: objectURL.nullable(),
  })
  .partial()
  .describe('Options of the brand; null: without it, absent: as configured')
type Proposal = z.output<typeof proposal>

const locale = (config: Config) => z.enum(config.dashboard.locales)
const access = permission({ system: ['read'] })

/** @throws ApiError ONLY_KNOWN_TO_A_DAEMON */
function dashboardOf({ dashboard }: Pick<App, 'dashboard'>): Dashboard {
  if (!dashboard) throw new ApiError(operationErrors.ONLY_KNOWN_TO_A_DAEMON)
  return dashboard
}

/** The brand of pages with the proposed members. */
function proposedBranding(configured: Branding, { accent, radius, cover, logo, logoDark, font }: Proposal): Branding {
  const pattern = coverPatterns.find((name) => name === cover) ?? null
  const given = {
    accent: accent && accentOf(accent),
    radius: radius === null || radius === undefined ? radius : radiusOf(radius),
    cover: cover && { pattern, image: pattern === null ? cover : null },
    ...{ logo, font },
    // A new logo is not shown together with the former one for dark ground.
    logoDark: logoDark ?? (logo === undefined ? logoDark : logo),
  }
  return { ...configured, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
}

/** The configuration with the proposed members that emails have. They load no image of the browser. */
function proposedConfig(config: Config, { appName = config.appName, accent, logo }: Proposal): Config {
  const { accent: configuredAccent, logo: configuredLogo, ...branding } = config.dashboard.branding
  const color = accent === undefined ? configuredAccent : (accent ?? undefined)
  const url = logo === undefined ? configuredLogo : logo?.url.startsWith('https:') ? logo.url : undefined
  const changed = { ...branding, ...(color !== undefined && { accent: color }), ...(url !== undefined && { logo: url }) }
  return { ...config, appName, dashboard: { ...config.dashboard, branding: changed } } as Config
}

type Locale = Config['dashboard']['locales'][number]

const emails = (ctx: CallContext, brand: Proposal, locale: Locale, theme?: 'light' | 'dark'): MailExample[] =>
  mailExamplesUnder(ctx, proposedConfig(ctx.config, brand), locale, theme)

async function render(ctx: CallContext, { kind, name, brand, locale }: z.output<ReturnType<typeof previewBody>>) {
  const settings = readPublicSettings(ctx)
  const branding = proposedBranding(settings.branding, brand)
  // The bar of development is not what users see.
  const pages = await dashboardOf(ctx).withSettings({
    ...settings,
    appName: brand.appName ?? settings.appName,
    branding,
    mailbox: false,
  })
  const known = {
    pages: pageViews(pages),
    emails: emails(ctx, brand, locale).map(({ kind: each, subject }) => ({ kind: each, subject })),
  }
  const shown = (theme: 'light' | 'dark'): Pick<MailExample, 'html'> & { readonly subject: string | null } => {
    if (kind === 'email') {
      const found = emails(ctx, brand, locale, theme).find((mail) => mail.kind === name)
      if (found) return found
    }
    const page = kind === 'page' && known.pages.includes(name) ? renderView(pages, name, { locale, theme }) : null
    if (page === null) throw new ApiError(errors.PREVIEW_NOT_FOUND)
    return { subject: null, html: page }
  }
  const { subject, html: light } = shown('light')
  const testRecipient = canDeliver(ctx) ? (ctx as unknown as { readonly user: UserRow }).user.email : null
  return { ...known, subject, light, dark: shown('dark').html, accent: branding.accent, testRecipient }
}

const document = z
  .string()
  .describe('HTML document')
  .meta({ examples: ['<!doctype html><html lang="en"></html>'] })
const shade = z.object({ readable: z.string().meta({ examples: ['#0b6b61'] }) })

const previewBody = (config: Config) =>
  z.object({
    kind: z.enum(['page', 'email']),
    name: z
      .string()
      .min(1)
      .max(64)
      .describe('One of `pages` or `emails` of the response')
      .meta({ examples: ['sign-in'] }),
    locale: locale(config),
    brand: proposal.default({}),
  })

/** No script runs in it; what the page above puts into it has its styles inline, as emails do. */
const framePolicy =
  "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob: https:; font-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin"

export const routes = {
  'GET /admin/preview-frame': route({
    summary: 'Open an empty page for a preview',
    access,
    undocumented: true,
    returns: z.never(),
    handler: () =>
      html('<!doctype html><html lang="en"><head><title>Preview</title></head><body></body></html>', {
        'content-security-policy': framePolicy,
        'x-frame-options': 'SAMEORIGIN',
      }),
  }),
  'POST /admin/preview-brand': route({
    summary: 'Get a preview of a brand',
    description:
      'Renders a hosted page or an email with a proposed brand, for light and for dark themes, with example data. It stores nothing: the configuration is in the file. Fails for a page or email that the configuration does not enable. Only for users whose role permits `system:read`.',
    access,
    isRead: true,
    body: previewBody,
    returns: z.object({
      pages: z
        .array(z.string())
        .describe('All pages that can be shown')
        .meta({ examples: [['sign-in', 'sign-up']] }),
      emails: z
        .array(z.object({ kind: z.string(), subject: z.string() }))
        .describe('All emails that can be shown')
        .meta({ examples: [[{ kind: 'reset-password', subject: 'Reset your password' }]] }),
      subject: z
        .string()
        .nullable()
        .describe('Of an email')
        .meta({ examples: [null] }),
      light: document,
      dark: document,
      accent: z.object({ light: shade, dark: shade }).nullable().describe('The shades of links; null: those of Latchkey'),
      testRecipient: z
        .string()
        .nullable()
        .describe("The current user's email address; null when no email can be sent")
        .meta({ examples: ['ann@example.com'] }),
    }),
    errors: [errors.PREVIEW_NOT_FOUND, operationErrors.ONLY_KNOWN_TO_A_DAEMON],
    handler: (ctx) => render(ctx, ctx.body),
  }),
  'POST /admin/send-test-email': route({
    summary: 'Send a test email to yourself',
    description:
      'Sends an email with example data to the email address of the current user, and to no other, within the limit of emails to one recipient. Responds with the code of the error when the mail server does not accept it. Only for users whose role permits `system:read`.',
    access,
    body: (config: Config) =>
      z.object({
        kind: z
          .string()
          .min(1)
          .max(64)
          .meta({ examples: ['reset-password'] }),
        locale: locale(config),
        brand: proposal.default({}),
      }),
    returns: z.object({
      sent: z.boolean(),
      error: z
        .string()
        .nullable()
        .describe('Code or name of the error, without its message')
        .meta({ examples: ['ECONNREFUSED'] }),
    }),
    errors: [errors.PREVIEW_NOT_FOUND, errors.EMAIL_IS_NOT_CONFIGURED],
    handler: async (ctx) => {
      const { kind, locale: language, brand } = ctx.body
      if (!canDeliver(ctx)) throw new ApiError(errors.EMAIL_IS_NOT_CONFIGURED)
      const example = emails(ctx, brand, language).find((mail) => mail.kind === kind)
      if (!example) throw new ApiError(errors.PREVIEW_NOT_FOUND)
      // Before it is sent: the event must not be missing.
      await transaction(ctx, async (tx) => {
        await countTestMail(tx, kind, ctx.user)
        await recordEvent(tx, { action: 'mail.tested', target: { type: 'user', id: ctx.user.id }, details: { kind } })
      })
      const error = await deliverExample(ctx, example, ctx.user.email).then(() => null, describeFailure)
      return { sent: error === null, error }
    },
  }),
}
