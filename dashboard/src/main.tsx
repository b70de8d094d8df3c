import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import './styles.css'
import { DirectionProvider } from '@base-ui/react/direction-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { directionOf } from '../../src/lib/locale.ts'
import { queryClient, settingsQuery } from './api/calls.ts'
import { startDensity } from './browser/density.ts'
import { readPreference, storePreference, storeZone } from './browser/preferences.ts'
import { startTheme } from './browser/theme.ts'
import { loadWithFirstAction } from './components/use-overlays.ts'
import { chooseLocale, LocaleProvider } from './i18n/locale.tsx'
import { useLocale } from './i18n/messages.ts'
import { errorMessages, frameMessages } from './messages/index.ts'
import { createAppRouter } from './routes/router.tsx'

startTheme()
storeZone()
startDensity()
loadWithFirstAction()

const current = { locale: 'en' }
const storeLocale = (locale: string) => storePreference('locale', locale)
const router = createAppRouter(() => current.locale)

function App() {
  const { locale } = useLocale()
  current.locale = locale
  return (
    <DirectionProvider direction={directionOf(locale)}>
      <RouterProvider router={router} />
    </DirectionProvider>
  )
}

async function start(): Promise<void> {
  const settings = await queryClient.ensureQueryData(settingsQuery)
  current.locale = chooseLocale(settings.locales, readPreference('locale'))
  if (Object.keys(settings.texts).length > 0)
    await (await import('./i18n/own-texts.ts')).loadOwnTexts(settings.texts, current.locale)
  await Promise.all([frameMessages.load(current.locale), errorMessages.load(current.locale)])
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no element "root"')
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <LocaleProvider initial={current.locale} onChoice={storeLocale}>
          <App />
        </LocaleProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}

/** Without settings there are neither messages nor a language, so this page has its texts itself. It has no framework either. */
function showFailure(): void {
  const texts = navigator.language.startsWith('de')
    ? [
        'Diese Seite konnte nicht geladen werden',
        'Der Server hat nicht geantwortet. Bitte gleich erneut versuchen.',
        'Erneut versuchen',
      ]
    : ['This page could not be loaded', 'The server did not respond. Try again in a moment.', 'Try again']
  const [title = '', sentence = '', action = ''] = texts
  const main = document.createElement('main')
  main.className = 'mx-auto grid max-w-112 justify-items-start gap-2 px-6 pt-22'
  const [heading, text, button] = [document.createElement('h1'), document.createElement('p'), document.createElement('button')]
  heading.className = 'text-20'
  heading.textContent = title
  text.className = 'text-muted'
  text.textContent = sentence
  button.className = 'mt-3 min-h-11 cursor-pointer rounded-control border border-border-strong bg-surface px-4 font-medium'
  button.textContent = action
  button.addEventListener('click', () => location.reload())
  main.append(heading, text, button)
  document.body.replaceChildren(main)
}

/**
 * An upgrade of the server removes the files that an open page still names. The new page names others; when the server serves the
 * same page or does not respond, loading it again would not help.
 */
async function reloadAfterUpgrade(): Promise<void> {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"]')?.getAttribute('src')
  const response = await fetch(document.baseURI, { cache: 'no-store' })
  if (response.ok && script && !(await response.text()).includes(script)) location.reload()
}
addEventListener('vite:preloadError', () => void reloadAfterUpgrade().catch(() => undefined))

start().catch((error: unknown) => {
  console.error(error)
  showFailure()
})
