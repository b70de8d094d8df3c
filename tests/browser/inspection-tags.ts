/** The rules of axe-core that every page must pass: WCAG 2.2 A and AA, and its recommendations. */
export const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] as const
