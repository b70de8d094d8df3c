/** Captchas of hosted pages. */
import { loadProvider, normalWidth, providers } from '../browser/captcha-providers.ts'

declare global {
  interface HTMLFormElement {
    captcha?: { readonly read: () => Promise<string> }
  }
}

/** Shows the captcha of a form that has one. */
export function startCaptcha(form: HTMLFormElement): void {
  const place = form.querySelector<HTMLElement>('[data-captcha]')
  if (!place) return
  const { captcha: provider = '', siteKey = '' } = place.dataset
  const isScored = place.hasAttribute('data-is-scored')
  const description = providers[provider]
  const [box, failed] = [place.querySelector<HTMLElement>('[data-widget]'), place.querySelector<HTMLElement>('[data-failed]')]
  if (!description || !box || !failed) return
  const { lang } = document.documentElement
  const theme = matchesDark() ? 'dark' : 'light'
  const size = box.clientWidth < normalWidth ? 'compact' : 'normal'
  const show = async () => {
    failed.hidden = true
    box.hidden = false
    const loaded = await loadProvider(description, lang, isScored ? siteKey : 'explicit')
    if (isScored) return async () => (await loaded.execute?.(siteKey, { action: 'submit' })) ?? ''
    // Providers do not let a container be used twice.
    const inner = document.createElement('div')
    box.replaceChildren(inner)
    const id = loaded.render(inner, { sitekey: siteKey, theme, language: lang, hl: lang, size })
    return async () => loaded.getResponse(id) ?? ''
  }
  const start = () => {
    const loading = show()
    loading.catch(() => {
      failed.hidden = false
      box.hidden = true
    })
    return loading
  }
  let shown = start()
  failed.querySelector('button')?.addEventListener('click', () => {
    shown = start()
  })
  form.captcha = { read: async () => (await shown.catch(() => null))?.() ?? '' }
}

function matchesDark(): boolean {
  const { theme } = document.documentElement.dataset
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
}
