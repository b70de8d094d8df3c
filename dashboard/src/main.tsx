import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import './styles.css'
import { DirectionProvider } from '@base-ui/react/direction-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { basePath, queryClient, servedPage, settingsQuery } from './api.ts'
import { loadErrorMessages } from './errors.ts'
import { chooseLocale, LocaleProvider } from './i18n/locale.tsx'
import { directionOf, useLocale } from './i18n/messages.ts'
import { frameMessages } from './messages.ts'
import { createAppRouter } from './router.tsx'
import { applyAccent, startTheme } from './theme.ts'

startTheme()
// The API serves this page at addresses of its own, such as that of the error page.
if (servedPage) history.replaceState(null, '', `${basePath}${servedPage.replace(/^\//, '')}`)

const current = { locale: 'en' }
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
  applyAccent(settings.branding.accent)
  current.locale = chooseLocale(settings.locales)
  await Promise.all([frameMessages.load(current.locale), loadErrorMessages(current.locale)])
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no element "root"')
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <LocaleProvider initial={current.locale}>
          <App />
        </LocaleProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}

void start()
