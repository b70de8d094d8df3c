/** The mark of a sign-in provider, in the color of the text around it. */
import { ids } from 'virtual:provider-marks'

const firstLetter = (name: string): string => ([...name.trim()][0] ?? '').toUpperCase()

/** Providers without a mark of their own have the first letter of their name. */
export const ProviderMark = ({ id, name }: { readonly id: string; readonly name: string }) =>
  ids.includes(id) ? (
    <span aria-hidden="true" className={`mark mark-${id} size-4.5 shrink-0`} />
  ) : (
    <span
      aria-hidden="true"
      className="grid size-4.5 shrink-0 place-content-center rounded-sm border border-current text-12 leading-none font-semibold"
    >
      {firstLetter(name)}
    </span>
  )

/** Whether pages of these providers need the style that has the marks. */
export const haveMark = (providers: readonly { readonly id: string }[]): boolean => providers.some(({ id }) => ids.includes(id))
