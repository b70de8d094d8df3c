/** The choice of the theme at the foot of pages that the server renders. */
import { darkMedia, storePreference } from '../browser/preferences.ts'

export function startTheme(): void {
  const choice = document.querySelector<HTMLElement>('[data-theme-choice]')
  const select = choice?.querySelector('select')
  if (!choice || !select) return
  choice.style.visibility = 'visible'
  select.addEventListener('change', () => {
    const { value } = select
    storePreference('theme', value || null)
    if (value) document.documentElement.dataset.theme = value
    else delete document.documentElement.dataset.theme
    // Of a logo.
    for (const source of document.querySelectorAll('source')) source.media = darkMedia((value || null) as 'light' | 'dark' | null)
  })
}
