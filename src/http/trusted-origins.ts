/** The configured origins, with matchers made once; or asked for per request when they are a function. */
import type { App } from '../core/app.ts'
import { apiURL } from '../core/base-url.ts'
import { isOnOrigin, isRelativePath, originMatcher } from '../lib/url.ts'
import type { Call } from './request.ts'

export interface TrustedOrigins {
  /** Whether a browser may call from here. */
  isTrustedOrigin(call: Call, origin: string): boolean | Promise<boolean>
  /** Whether a browser may be sent there: a path of ours, or a URL on a trusted origin. */
  isTrustedTarget(call: Call, url: string): boolean | Promise<boolean>
}

type Matchers = readonly ((url: string) => boolean)[]

export function createTrustedOrigins(app: App): TrustedOrigins {
  const own = new URL(apiURL(app.config)).origin
  const configured = app.config.trustedOrigins
  const fixed = typeof configured === 'function' ? null : [own, ...configured].map(originMatcher)

  const ask = async (call: Call): Promise<Matchers> => {
    if (typeof configured !== 'function') return fixed ?? []
    const origins = await configured(call.req.raw)
    return [own, ...origins].map(originMatcher)
  }
  const isOn = (call: Call, url: string) =>
    fixed ? isOnOrigin(url, fixed) : ask(call).then((matchers) => isOnOrigin(url, matchers))
  return {
    isTrustedOrigin: isOn,
    isTrustedTarget: (call, url) => isRelativePath(url) || isOn(call, url),
  }
}
