/** What `latchkey init` writes and prints for the providers of social sign-in. Each stays disabled until its variables are set. */
import { coreConfig } from '../../core/core-config.ts'
import { apiURL } from '../../core/route.ts'
import { type ConfiguredProvider, credentialVariables, declaredProviders } from '../../features/social-sign-in/index.ts'
import { suggest } from '../../lib/input-errors.ts'

const declared: Readonly<Record<string, ConfiguredProvider['declaration']>> = declaredProviders()

/** IDs of the built-in providers. */
export const providerIDs = Object.keys(declared)

const wordsOf = (given: string): string[] => [...new Set(given.split(/[\s,]+/).filter(Boolean))]

interface ChosenProvider {
  readonly id: string
  readonly name: string
  readonly registrationURL: string | null
  /** Environment variables by option. */
  readonly variables: readonly (readonly [option: string, variable: string])[]
}

/** @param given IDs, separated by commas or spaces; checked by `providersIssue` */
export const readProviders = (given: string): ChosenProvider[] =>
  wordsOf(given).flatMap((id) => {
    const declaration = declared[id]
    if (!declaration) return []
    const { name, registrationURL = null } = declaration
    return [{ id, name, registrationURL, variables: Object.entries(credentialVariables(id, declaration)) }]
  })

/** @returns an error message for an ID that is not built in */
export function providersIssue(given: string): string | undefined {
  const unknown = wordsOf(given).find((id) => !providerIDs.includes(id))
  if (unknown === undefined) return undefined
  return `There is no provider ${unknown}. ${suggest(unknown, providerIDs).hint ?? `Use some of ${providerIDs.join(', ')}.`}`
}

/** The lines of `auth.config.ts`. */
export function providersConfig(providers: readonly ChosenProvider[]): string {
  if (providers.length === 0) return ''
  const sections = providers.map(({ id, variables }) => {
    const options = variables.map(([option, name]) => `      ${option}: process.env.${name},\n`)
    return `    ${id}: {\n      enabled: Boolean(process.env.${variables[0]?.[1]}),\n${options.join('')}    },\n`
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
export function redirectsToRegister(providers: readonly ChosenProvider[], baseURL: string): RedirectToRegister[] {
  const api = apiURL({ baseURL, basePath: coreConfig.basePath.parse(undefined), server: { port: 0 } })
  return providers.map(({ id, name, registrationURL }) => ({ name, redirectURI: `${api}/callback/${id}`, registrationURL }))
}

/** The variables to add to `.env`, with a comment for the first of a provider. */
export const providersVariables = (providers: readonly ChosenProvider[]) =>
  providers.flatMap(({ name, registrationURL, variables }) => {
    const comment = `${name} assigns these values${registrationURL ? ` at ${registrationURL}` : ''}.`
    return variables.map(([, variable], index) => ({ name: variable, comment: index === 0 ? comment : null }))
  })
