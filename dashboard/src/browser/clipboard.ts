/**
 * Copies a text.
 * @returns false if the browser does not permit it, as on pages that are not served by HTTPS
 */
export const copyText = (text: string): Promise<boolean> =>
  Promise.resolve()
    .then(() => navigator.clipboard.writeText(text))
    .then(
      () => true,
      () => false,
    )
