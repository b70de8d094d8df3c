/** What `latchkey init` writes and prints for the providers of social sign-in. Each stays disabled until its variables are set. */
import { suggest } from '../../core/config.ts'
import { coreConfig } from '../../core/parse-config.ts'
import { apiURL } from '../../core/route.ts'
import { credentialVariables, declaredProviders, type ProviderId } from '../../features/social-sign-in/index.ts'

const isProvider = (id: string): id is ProviderId => Object.hasOwn(declaredProviders(), id)

/** @param given IDs, separated by commas or spaces; checked by `providersIssue` */
export const readProviders = (given: string): ProviderId[] => [...new Set(given.split(/[\s,]+/))].filter(isProvider)

/** @returns an error message for an ID that is not built in */
export function providersIssue(given: string): string | undefined {
  const unknown = given.split(/[\s,]+/).find((id) => id !== '' && !isProvider(id))
  if (unknown === undefined) return undefined
  const known = Object.keys(declaredProviders())
  return `There is no provider ${unknown}. ${suggest(unknown, known).hint ?? `Use some of ${known.join(', ')}.`}`
}

/** The lines of `auth.config.ts`. */
export function providersConfig(ids: readonly ProviderId[]): string {
  if (ids.length === 0) return ''
  const sections = ids.map((id) => {
    const variables = Object.entries(credentialVariables(id)).map(([option, name]) => `      ${option}: process.env.${name},\n`)
    const [first = ''] = Object.values(credentialVariables(id))
    return `    ${id}: {\n      enabled: Boolean(process.env.${first}),\n${variables.join('')}    },\n`
  })
  return `  // Each provider is enabled when its variables are set in .env. \`latchkey providers list\` prints the redirect URIs to register.
  socialProviders: {
${sections.join('')}  },
`
}

export interface RedirectToRegister {
  readonly name: string
  readonly redirectURI: string
  readonly registrationURL: string | null
}

/** @param baseURL as in the configuration */
export function redirectsToRegister(ids: readonly ProviderId[], baseURL: string): RedirectToRegister[] {
  const api = apiURL({ baseURL, basePath: coreConfig.basePath.parse(undefined), server: { port: 0 } })
  return ids.map((id) => {
    const { name, registrationURL = null } = declaredProviders()[id]
    return { name, redirectURI: `${api}/callback/${id}`, registrationURL }
  })
}

/** The variables to add to `.env`, with a comment each for the first of a provider. */
export const providersVariables = (ids: readonly ProviderId[]): { readonly name: string; readonly comment: string | null }[] =>
  ids.flatMap((id) => {
    const { name: provider, registrationURL } = declaredProviders()[id]
    const comment = `${provider} assigns these values${registrationURL ? ` at ${registrationURL}` : ''}.`
    return Object.values(credentialVariables(id)).map((name, index) => ({ name, comment: index === 0 ? comment : null }))
  })
