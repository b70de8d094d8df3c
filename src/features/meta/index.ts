/** The health check of the API, and the error page for failed redirects. */
import { html } from 'hono/html'
import { z } from 'zod'
import { emptyPage } from '../../core/hosted.ts'
import { anyone } from '../../core/permissions.ts'
import { html as htmlPage } from '../../core/reply.ts'
import { route } from '../../core/route.ts'
import { chooseLocale } from '../../lib/locale.ts'
import { page } from '../pages/index.ts'

export const area = 'Diagnostics'

const textOrTexts = z.union([z.string(), z.array(z.string())]).optional()

export const routes = {
  'GET /ok': route({
    summary: 'Check that the API responds',
    description:
      'Returns `ok` when the daemon can serve requests. Does not query the database; for that, use `/readyz` of the private listener.',
    access: anyone(),
    returns: z.object({ ok: z.literal(true) }),
    handler: () => ({ ok: true as const }),
  }),
  'GET /error': route({
    summary: 'Open the error page',
    access: anyone(),
    query: z.object({ error: textOrTexts, requestId: textOrTexts }),
    returns: z.never(),
    undocumented: true,
    handler: (ctx) => {
      const code = [ctx.query.error ?? []].flat()[0]?.slice(0, 200)
      const shown = html`<p>Error Code: <code>${code || 'Unknown'}</code></p>
<a class="button" href="/">Return to Application</a>`
      if (ctx.dashboard) {
        const locale = chooseLocale([], ctx.request.header('accept-language'), ctx.config.dashboard.locales)
        const { requestId } = ctx.query
        const parameters = {
          ...(code && { error: code }),
          ...(typeof requestId === 'string' && { requestId: requestId.slice(0, 64) }),
        }
        return htmlPage(ctx.dashboard.hosted.render({ ...emptyPage, path: '/error', parameters, locale }), ctx.dashboard.headers)
      }
      return page(
        ctx.config.appName,
        'Something went wrong',
        html`<p>The last step could not be completed. Go back and try again. If it fails again, contact the operator of this site.</p>
${shown}`,
      )
    },
  }),
}
