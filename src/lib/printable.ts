const controlCharacters = /\p{Cc}/gu

/** Escapes control characters, so that no text of a caller makes lines or colours of its own on a terminal. */
export const printable = (text: string): string =>
  text.replaceAll(controlCharacters, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
