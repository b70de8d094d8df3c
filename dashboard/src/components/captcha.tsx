/** Captcha for the calls that the configuration protects. The widget and the provider's script load only where they are needed. */
import { lazy, type ReactNode, type RefObject, Suspense, useRef } from 'react'
import type { Call } from '../../../src/client.ts'
import { ClientError, send, sendWith, useSettings } from '../api/calls.ts'

const Widget = lazy(() => import('./captcha-widget.tsx').then((module) => ({ default: module.CaptchaWidget })))

/** A rendered widget. */
export interface Captcha {
  /** @returns the response for the API; empty until the captcha is solved */
  readonly read: () => string | Promise<string>
  /** Shows a new captcha: each response is valid for one call. */
  readonly reset: () => void
}
export type CaptchaRef = RefObject<Captcha | null>

/** Makes the call with the response of the captcha. @throws ClientError MISSING_CAPTCHA_RESPONSE until it is solved */
const withResponse =
  (captcha: CaptchaRef): Call =>
  async (key, input) => {
    const response = await captcha.current?.read()
    if (!response) throw new ClientError(400, 'MISSING_CAPTCHA_RESPONSE', 'Missing CAPTCHA response')
    try {
      return await sendWith({ 'x-captcha-response': response })(key, input)
    } finally {
      captcha.current?.reset()
    }
  }

/**
 * @param path of a call
 * @returns the widget, null when the call needs no captcha; and `send` in place of the usual one for that call
 */
export function useCaptcha(path: string): { readonly widget: ReactNode; readonly send: Call } {
  const { captcha: settings } = useSettings()
  const captcha = useRef<Captcha | null>(null)
  if (!settings?.endpoints.some((endpoint) => path.includes(endpoint))) return { widget: null, send }
  const widget = (
    <Suspense>
      <Widget settings={settings} captcha={captcha} />
    </Suspense>
  )
  return { widget, send: withResponse(captcha) }
}
