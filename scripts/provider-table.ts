/** Writes the table of providers in docs/social-sign-in.md from their declarations. */
import { readFileSync } from 'node:fs'
import { type ConfiguredProvider, declaredProviders } from '../src/features/social-sign-in/index.ts'

type Declaration = ConfiguredProvider['declaration']

const emailTexts = {
  verified: 'all verified',
  reported: 'verified, if the provider says so',
  unverified: 'never verified',
  none: 'none: users get a placeholder',
}

const heading = `| ID | provider | register at | default scopes | email addresses | code challenge | refresh tokens | ID tokens of apps |
| --- | --- | --- | --- | --- | --- | --- | --- |`

/** The first line of each provider's file is the URL of its documentation. */
function documentationOf(id: string): string {
  const file = new URL(`../src/features/social-sign-in/providers/${id}.ts`, import.meta.url)
  return /https:\/\/\S+/.exec(readFileSync(file, 'utf8').split('\n')[0] ?? '')?.[0] ?? ''
}

function row(id: string, { name, scopes, registrationURL, emails, pkce, refresh, idTokenSignIn }: Declaration): string {
  const cells = [
    `\`${id}\``,
    `[${name}](${documentationOf(id)})`,
    registrationURL ? `[${new URL(registrationURL).hostname}](${registrationURL})` : '',
    Object.keys(scopes)
      .map((scope) => `\`${scope}\``)
      .join(' '),
    emails ? emailTexts[emails] : '',
    pkce ? 'yes' : 'no',
    refresh === false ? 'no' : 'yes',
    idTokenSignIn ? 'yes' : 'no',
  ]
  return `| ${cells.join(' | ')} |`
}

const block = /<!-- providers -->\n[\s\S]*?<!-- end of providers -->/

/** @throws Error for a page without the place of the table */
export function withProviderTable(page: string): string {
  if (!block.test(page)) throw new Error('docs/social-sign-in.md needs <!-- providers --> and <!-- end of providers -->')
  const declared: Readonly<Record<string, Declaration>> = declaredProviders()
  const rows = Object.entries(declared).map(([id, declaration]) => row(id, declaration))
  return page.replace(block, () => `<!-- providers -->\n${[heading, ...rows].join('\n')}\n<!-- end of providers -->`)
}
