import { html } from 'hono/html'
import { z } from 'zod'
import { page } from '../../core/page.ts'
import { route } from '../../core/route.ts'

export const routes = {
  'GET /ok': route({
    summary: 'Whether the API answers',
    access: 'public',
    returns: z.object({ ok: z.literal(true) }),
    handler: () => ({ ok: true as const }),
  }),
  'GET /error': route({
    summary: 'The page on which a failed redirect ends',
    access: 'public',
    query: z.object({ error: z.union([z.string(), z.array(z.string())]).optional() }),
    returns: z.never(),
    undocumented: true,
    handler: (ctx) => {
      const [code = ''] = [ctx.query.error ?? []].flat()
      return page(
        ctx.config.appName,
        'Something went wrong',
        html`<p>The last step could not be completed. You can go back and try again; if it happens again, tell whoever runs this site.</p>
<p>Error Code: <code>${code.slice(0, 200) || 'Unknown'}</code></p>
<a class="button" href="/">Return to Application</a>`,
      )
    },
  }),
}
