/** The captchas of the providers: their scripts define widgets that have the same three functions under other names. */

export interface Provider {
  render(container: HTMLElement, options: Readonly<Record<string, string>>): string | number
  getResponse(id: string | number): string | undefined
  reset(id: string | number): void
  /** Of reCAPTCHA only. */
  ready?(listener: () => void): void
  /** Of reCAPTCHA v3 only: it has no widget, and returns a response on each call. */
  execute?(siteKey: string, options: { readonly action: string }): Promise<string>
}

interface Description {
  /** Name of the global variable that the script defines. */
  readonly name: string
  readonly script: (locale: string, render: string) => string
}

export const providers: Readonly<Record<string, Description>> = {
  'cloudflare-turnstile': {
    name: 'turnstile',
    script: () => 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
  },
  'google-recaptcha': {
    name: 'grecaptcha',
    script: (locale, render) => `https://www.google.com/recaptcha/api.js?render=${encodeURIComponent(render)}&hl=${locale}`,
  },
  hcaptcha: {
    name: 'hcaptcha',
    script: (locale) => `https://js.hcaptcha.com/1/api.js?render=explicit&hl=${locale}`,
  },
}

const scripts = new Map<string, Promise<Provider>>()

/** Loads a provider once. After a failure the next call tries again. */
export function loadProvider({ name, script }: Description, locale: string, render: string): Promise<Provider> {
  const found = scripts.get(name)
  if (found !== undefined) return found
  const loading = new Promise<Provider>((resolve, reject) => {
    const element = document.createElement('script')
    element.src = script(locale, render)
    element.addEventListener('error', () => reject(new Error(`Cannot load ${element.src}`)))
    element.addEventListener('load', () => {
      const provider = Reflect.get(window, name) as Provider | undefined
      if (!provider) reject(new Error(`${element.src} defines no ${name}`))
      else if (provider.ready) provider.ready(() => resolve(provider))
      else resolve(provider)
    })
    document.head.append(element)
  })
  loading.catch(() => scripts.delete(name))
  scripts.set(name, loading)
  return loading
}

/** Widgets are 300 to 304 pixels wide, which is more than the column of a small phone. */
export const normalWidth = 304
