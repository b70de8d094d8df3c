/** What the layout of emails says, in every language: it is the same in all of them. */
import { readOwnTexts } from '../dashboard/index.ts'
import type { Config } from '../index.ts'

interface LayoutTexts {
  readonly openLink: string
  /** Of the link in notices. */
  readonly lockAccount: string
  readonly lockLead: string
}

const german = { lockAccount: 'Das war ich nicht: mein Konto sperren' }

const texts: Readonly<Record<string, LayoutTexts>> = {
  en: {
    openLink: 'Or open this link:',
    lockAccount: "This wasn't me: lock my account",
    lockLead: 'Opening the link changes nothing. The page says what ends, and asks you to confirm.',
  },
  de: {
    ...german,
    openLink: 'Oder öffnen Sie diesen Link:',
    lockLead: 'Das Öffnen des Links ändert nichts. Die Seite zeigt, was endet, und fragt Sie nach einer Bestätigung.',
  },
  'de-informal': {
    ...german,
    openLink: 'Oder öffne diesen Link:',
    lockLead: 'Das Öffnen des Links ändert nichts. Die Seite zeigt, was endet, und fragt dich nach einer Bestätigung.',
  },
  es: {
    openLink: 'O abre este enlace:',
    lockAccount: 'No fui yo: bloquear mi cuenta',
    lockLead: 'Abrir el enlace no cambia nada. La página muestra qué terminará y te pide que confirmes.',
  },
  fr: {
    openLink: 'Ou ouvrez ce lien\u202f:',
    lockAccount: 'Ce n’était pas moi\u202f: verrouiller mon compte',
    lockLead: 'Ouvrir le lien ne change rien. La page indique ce qui prendra fin et vous demande de confirmer.',
  },
  pl: {
    openLink: 'Albo otwórz ten link:',
    lockAccount: 'To nie ja: zablokuj moje konto',
    lockLead: 'Samo otwarcie linku niczego nie zmienia: strona pokazuje, co przestanie działać, i prosi o potwierdzenie.',
  },
  ru: {
    openLink: 'Или откройте эту ссылку:',
    lockAccount: 'Это не я: заблокировать мой аккаунт',
    lockLead:
      'Сам переход по ссылке ничего не меняет: на странице показано, что перестанет действовать, и нужно подтвердить блокировку.',
  },
  tr: {
    openLink: 'Veya bu bağlantıyı açın:',
    lockAccount: 'Bunu ben yapmadım: hesabımı kilitle',
    lockLead: 'Bağlantıyı açmak hiçbir şeyi değiştirmez. Sayfa nelerin sona ereceğini gösterir ve onayınızı ister.',
  },
  uk: {
    openLink: 'Або відкрийте це посилання:',
    lockAccount: 'Це не я: заблокувати мій обліковий запис',
    lockLead:
      'Сам перехід за посиланням нічого не змінює: на сторінці показано, що перестане діяти, і потрібно підтвердити блокування.',
  },
}

/** The texts of the operator first; in English for a language of theirs that leaves them out. */
export function layoutTexts(config: Config, locale: string): LayoutTexts {
  const ours = texts[locale] ?? (texts.en as LayoutTexts)
  const own = config.dashboard.texts === undefined ? undefined : readOwnTexts(config).texts[locale]
  if (!own) return ours
  const find = (part: keyof LayoutTexts): string => {
    const text = own[`mail.layout.${part}`]?.text
    return typeof text === 'string' ? text : ours[part]
  }
  return { openLink: find('openLink'), lockAccount: find('lockAccount'), lockLead: find('lockLead') }
}

/** Those that operators can replace, by part. */
export const englishLayout = texts.en as LayoutTexts

/** What stands after a label in plain text. French has a space before it. */
export const colonOf = (locale: string): string => (locale === 'fr' ? '\u202f:' : ':')
