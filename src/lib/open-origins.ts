/** Patterns of origins that match websites of several owners. */
import { isHostingSuffix, isPublicSuffix } from './public-suffix.ts'
import { globMatcher, originMatcher } from './url.ts'

/** Origins under several public suffixes, which no owner of one domain has. */
const strangers = ['com', 'net', 'org', 'io', 'dev', 'app', 'example', 'co.uk', 'com.br'].flatMap((suffix) =>
  ['https://q7x9zk4.', 'http://www.q7x9zk4.', 'https://a.b.q7x9zk4-w2.'].flatMap((start) => [
    `${start}${suffix}`,
    `${start}${suffix}:8443`,
  ]),
)

/** By its form, and by the matcher itself: there are many ways to write a pattern for every website, or every one below `co.uk`. */
export const trustsStrangers = (pattern: string): boolean => hasOpenDomain(pattern) || strangers.some(originMatcher(pattern))

/**
 * Whether a wildcard for websites is in the name that its owner registers, or in a public suffix, such as `https://*.co.jp`. Previews of
 * an application at a hosting service, such as `https://acme-*.vercel.app`, are accepted, though strangers could register such a name.
 */
function hasOpenDomain(pattern: string): boolean {
  const [, scheme, host = ''] = /^(?:(.*?):\/\/)?([^/:]*)/.exec(pattern) ?? []
  const isWeb = scheme === undefined || ['http', 'https'].some(globMatcher(scheme))
  const labels = host.toLowerCase().split('.')
  const suffixLength = [3, 2].find((count) => isPublicSuffix(labels.slice(-count).join('.'))) ?? 1
  const [suffix, name = ''] = [labels.slice(-suffixLength).join('.'), labels.at(-suffixLength - 1)]
  const isOpenName = isHostingSuffix(suffix) ? /^[*?-]+$/ : /[*?]/
  return isWeb && (/[*?]/.test(suffix) || isOpenName.test(name))
}
