/** Texts of clients and users in emails to others. */

/** Characters of a name in an email. */
const longestName = 60

/**
 * A name that a user chose, for an email to a person who does not know them: short, on one line, and without a text that a mail
 * program makes a link of. A word joiner is invisible, and ends such a text. Joiners of scripts and emoji are not removed.
 */
export function nameInMail(name: string): string {
  const characters = [
    ...name
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/(?![\u200c\u200d])\p{C}/gu, '')
      .trim(),
  ]
  const shown = characters.length > longestName ? `${characters.slice(0, longestName - 1).join('')}…` : characters.join('')
  return shown.replaceAll(/[.:/@](?=\S)/g, '$&\u2060')
}
