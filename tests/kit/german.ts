/** How German texts address their readers. */

/** "Sie". After the start of a sentence, with a verb in the singular, it is "it". */
export const formal = /(?<!(^|[.:?!] |>))\bSie\b|\bSie\b(?! (wird|wurde|[a-zäöü]+t) )|\b(Ihnen|Ihre?[mnrs]?)\b/m

/** "du" */
export const informal = /\b(du|dich|dir|dein(e[mnrs]?)?)\b/i

/** "Du" in the middle of a sentence, where it has a small letter. */
export const capitalized = /(?<!(^|[.:?!] |["„>]))\b(Du|Dich|Dir|Dein(e[mnrs]?)?)\b/m
