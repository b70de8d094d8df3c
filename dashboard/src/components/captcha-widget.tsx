/** The widgets of the providers. They have the same three functions under other names. */
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { PublicSettings } from '../../../src/features/index.ts'
import { useSettings } from '../api.ts'
import { useLocale } from '../i18n/messages.ts'
import { useFrameMessages } from '../messages.ts'
import { useTheme } from '../theme.ts'
import { Button } from './button.tsx'
import type { Captcha, CaptchaRef } from './captcha.tsx'
import { Note } from './feedback.tsx'

interface Provider {
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

const providers: Readonly<Record<string, Description>> = {
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
function loadProvider({ name, script }: Description, locale: string, render: string): Promise<Provider> {
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
const normalWidth = 304

type Settings = NonNullable<PublicSettings['captcha']>

/** @param box where the widget appears, if there is one */
function startCaptcha(
  provider: Provider,
  box: HTMLElement,
  { siteKey, isScored }: Settings,
  look: Readonly<Record<string, string>>,
): Captcha {
  if (isScored)
    return { read: async () => (await provider.execute?.(siteKey, { action: 'submit' })) ?? '', reset: () => undefined }
  const id = provider.render(box, { sitekey: siteKey, ...look })
  return { read: () => provider.getResponse(id) ?? '', reset: () => provider.reset(id) }
}

/** Renders the widget. @returns the failure to load it, and a function that tries again */
function useWidget(container: RefObject<HTMLDivElement | null>, settings: Settings, captcha: CaptchaRef) {
  const { locale } = useLocale()
  useTheme()
  const theme = document.documentElement.dataset.theme ?? 'light'
  const [attempt, setAttempt] = useState(0)
  const [failedAttempt, setFailedAttempt] = useState(-1)
  useEffect(() => {
    const description = providers[settings.provider]
    const place = container.current
    if (!description || !place) return
    // Providers do not let a container be used twice, such as for another theme.
    const box = document.createElement('div')
    place.replaceChildren(box)
    const size = place.clientWidth < normalWidth ? 'compact' : 'normal'
    let isLeft = false
    const started = loadProvider(description, locale, settings.isScored ? settings.siteKey : 'explicit').then((provider) =>
      isLeft ? null : startCaptcha(provider, box, settings, { theme, language: locale, hl: locale, size }),
    )
    started.catch(() => isLeft || setFailedAttempt(attempt))
    captcha.current = {
      // Waits for the provider. Its failure is shown in place of the widget.
      read: async () => (await started.catch(() => null))?.read() ?? '',
      reset: () => void started.then((running) => running?.reset()),
    }
    return () => {
      isLeft = true
      captcha.current = null
    }
  }, [settings, locale, theme, attempt, container, captcha])
  return { hasFailed: failedAttempt === attempt, retry: () => setAttempt(attempt + 1) }
}

export function CaptchaWidget({ settings, captcha }: { readonly settings: Settings; readonly captcha: CaptchaRef }) {
  const t = useFrameMessages()
  const { helpURL } = useSettings().branding
  const container = useRef<HTMLDivElement>(null)
  const { hasFailed, retry } = useWidget(container, settings, captcha)
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="sr-only">{t('captcha')}</legend>
      {/* As high as the widgets, so that the button does not move. */}
      <div ref={container} className={hasFailed || settings.isScored ? 'hidden' : 'min-h-[78px]'} />
      {hasFailed ? (
        <Note tone="danger" isLive>
          <p>{t('captchaFailed')}</p>
          <p className="mt-2">
            <Button onClick={retry}>{t('tryAgain')}</Button>
          </p>
        </Note>
      ) : null}
      {helpURL ? (
        <a href={helpURL} className="inline-block justify-self-start py-0.5 text-13 text-accent hover:underline">
          {t('captchaHelp')}
        </a>
      ) : null}
    </fieldset>
  )
}
