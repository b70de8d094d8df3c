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

/** What browsers on Android say in place of the system and the model, since their user agents are reduced. */
const reduced = '(Linux; Android 10; K)'
const android = /\(Linux; Android \d+; ([\w .+-]{1,64})\)/

/** The client hints (RFC 8942) in which browsers say them, once a page has asked. */
export const deviceHints = 'Sec-CH-UA-Model, Sec-CH-UA-Platform-Version'
const hinted = /^"([\w .+-]{1,64})"$/

/** The user agent of a request, with the system and the model of a phone or tablet that its hints say. */
export function userAgentOf(request: { readonly header: (name: string) => string | undefined }): string {
  const userAgent = request.header('user-agent') ?? ''
  const [, model] = hinted.exec(request.header('sec-ch-ua-model') ?? '') ?? []
  if (model === undefined || !userAgent.includes(reduced)) return userAgent
  const version = Number.parseInt(hinted.exec(request.header('sec-ch-ua-platform-version') ?? '')?.[1] ?? '', 10)
  return userAgent.replace(reduced, `(Linux; Android ${version || 10}; ${model})`)
}

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
  const [, ofAndroid] = (!text.includes(reduced) && android.exec(text)) || []
  return {
    kind: isComputer ? 'computer' : (kinds[platform.type ?? ''] ?? 'unknown'),
    model: name === 'macOS' ? 'Mac' : name === 'ChromeOS' ? 'Chromebook' : (ofAndroid ?? platform.model),
    program: [browser.name, browser.version?.split('.')[0]].filter(Boolean).join(' '),
    system: name,
  }
}

/** The name of a device for a person, such as `Chrome 142 on Windows`; null when the client does not say. */
export function deviceName(userAgent: string | null): string | null {
  const { program, system } = describeDevice(userAgent)
  return [program, system].filter(Boolean).join(' on ') || null
}
