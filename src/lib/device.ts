/** The device and program of a session, as far as a user agent says it. */
import Bowser from 'bowser'

export interface Device {
  readonly kind: 'computer' | 'phone' | 'tablet' | 'television' | 'program' | 'unknown'
  /** Such as `iPhone`; only where it is not one of many of its kind. */
  readonly model?: string | undefined
  /** Such as `Chrome 142`, or for a program its name. */
  readonly program: string
  /** Without a version: most browsers send a fixed one. */
  readonly system?: string | undefined
}

const kinds: Readonly<Record<string, Device['kind']>> = {
  desktop: 'computer',
  mobile: 'phone',
  tablet: 'tablet',
  tv: 'television',
}
const systems: Readonly<Record<string, string>> = { 'Chrome OS': 'ChromeOS' }

/** A product at the start of a user agent (RFC 9110 10.1.5), such as `curl/8.5.0`. */
const product = /^([\w.+-]+)(?:\/(\d[\w.+-]*))?(?=[\s;,(]|$)/

/** @param userAgent as the client sent it; any text */
export function describeDevice(userAgent: string | null | undefined): Device {
  const text = userAgent?.trim() ?? ''
  if (!text) return { kind: 'unknown', program: '' }
  const { browser, os, platform } = Bowser.parse(text)
  // Browsers call themselves Mozilla; other programs say who they are.
  if (!/^(Mozilla|Opera)\//.test(text) || platform.type === 'bot') {
    const [, name = text, version] = product.exec(text) ?? []
    return { kind: 'program', program: [name, version].filter(Boolean).join(' ') }
  }
  const isTabletOfApple = platform.type === 'tablet' && os.name === 'iOS'
  const name = os.name && (isTabletOfApple ? 'iPadOS' : (systems[os.name] ?? os.name))
  const isComputer = name === 'ChromeOS' || name === 'macOS'
  return {
    kind: isComputer ? 'computer' : (kinds[platform.type ?? ''] ?? 'unknown'),
    model: name === 'macOS' ? 'Mac' : name === 'ChromeOS' ? 'Chromebook' : platform.model,
    program: [browser.name, browser.version?.split('.')[0]].filter(Boolean).join(' '),
    system: name,
  }
}
