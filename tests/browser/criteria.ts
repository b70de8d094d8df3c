/** Which success criteria of WCAG 2.2, level A and AA, tests check, and how: docs/accessibility.md is made of it. */

/** Run on every page and every declared state of it, by functions of `inspection.ts`. */
export const inspections = {
  expectAccessible: 'axe-core finds nothing, and enough contrast in both themes',
  expectNoSidewaysScroll: 'the page fits windows of 1200, 600 and 320 pixels, which is a zoom of up to 400 %, and longer texts',
  expectForcedColors: 'with forced colors, what is current, chosen or on is marked without a ground',
  expectNoMotion: 'nothing moves when reduced motion is preferred',
} as const
type Inspection = keyof typeof inspections

/** A journey in a browser, by its file and name. */
export interface Journey {
  readonly file: string
  readonly test: string
}

const journey = (file: string, test: string): Journey => ({ file: `tests/browser/${file}.test.ts`, test })

/** What checks a criterion in addition to the rules of axe-core. */
export const checked: Readonly<Record<string, readonly (Inspection | Journey)[]>> = {
  '1.4.3': ['expectAccessible'],
  '1.4.4': ['expectNoSidewaysScroll'],
  '1.4.10': ['expectNoSidewaysScroll'],
  '1.4.1': ['expectForcedColors'],
  '2.1.1': [
    journey('events', 'finds a user by email, with the keyboard alone'),
    journey('account-switcher', 'adds an account without signing out, and switches back, with the keyboard too'),
  ],
  '2.1.2': [journey('account-sessions', 'the navigation sheet is used by keyboard, keeps the focus inside and returns it')],
  '2.1.4': [journey('events', 'has shortcuts that can be switched off')],
  '2.2.1': [
    journey('sign-in-again', 'users extend a session before it ends'),
    journey('sign-in-again', 'users sign in again in place before a session ends that cannot be extended'),
    journey(
      'second-factor',
      'the page says how much time is left, announces the last minutes, and then leads back with the email address filled in',
    ),
  ],
  '2.4.3': [journey('events', 'moves the focus to the list with the page, and shortens hashes to what differs')],
  '3.3.1': [journey('account-sessions', 'a wrong password is said at its field, and the dialog stays')],
  '4.1.3': [journey('account-sessions', 'revokes all others and says how many')],
}

/** Criteria of WCAG 2.2, level A and AA, by number. */
export const criteria: Readonly<Record<string, string>> = {
  '1.1.1': 'Non-text content',
  '1.2.1': 'Audio-only and video-only',
  '1.2.2': 'Captions (prerecorded)',
  '1.2.3': 'Audio description or media alternative',
  '1.2.4': 'Captions (live)',
  '1.2.5': 'Audio description',
  '1.3.1': 'Info and relationships',
  '1.3.2': 'Meaningful sequence',
  '1.3.3': 'Sensory characteristics',
  '1.3.4': 'Orientation',
  '1.3.5': 'Identify input purpose',
  '1.4.1': 'Use of color',
  '1.4.2': 'Audio control',
  '1.4.3': 'Contrast (minimum)',
  '1.4.4': 'Resize text',
  '1.4.5': 'Images of text',
  '1.4.10': 'Reflow',
  '1.4.11': 'Non-text contrast',
  '1.4.12': 'Text spacing',
  '1.4.13': 'Content on hover or focus',
  '2.1.1': 'Keyboard',
  '2.1.2': 'No keyboard trap',
  '2.1.4': 'Character key shortcuts',
  '2.2.1': 'Timing adjustable',
  '2.2.2': 'Pause, stop, hide',
  '2.3.1': 'Three flashes',
  '2.4.1': 'Bypass blocks',
  '2.4.2': 'Page titled',
  '2.4.3': 'Focus order',
  '2.4.4': 'Link purpose (in context)',
  '2.4.5': 'Multiple ways',
  '2.4.6': 'Headings and labels',
  '2.4.7': 'Focus visible',
  '2.4.11': 'Focus not obscured (minimum)',
  '2.5.1': 'Pointer gestures',
  '2.5.2': 'Pointer cancellation',
  '2.5.3': 'Label in name',
  '2.5.4': 'Motion actuation',
  '2.5.7': 'Dragging movements',
  '2.5.8': 'Target size (minimum)',
  '3.1.1': 'Language of page',
  '3.1.2': 'Language of parts',
  '3.2.1': 'On focus',
  '3.2.2': 'On input',
  '3.2.3': 'Consistent navigation',
  '3.2.4': 'Consistent identification',
  '3.2.6': 'Consistent help',
  '3.3.1': 'Error identification',
  '3.3.2': 'Labels or instructions',
  '3.3.3': 'Error suggestion',
  '3.3.4': 'Error prevention',
  '3.3.7': 'Redundant entry',
  '3.3.8': 'Accessible authentication (minimum)',
  '4.1.2': 'Name, role, value',
  '4.1.3': 'Status messages',
}
