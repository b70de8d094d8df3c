/** What the browser finds wrong with a form, at the fields and in the words of the page. */

type Control = HTMLInputElement | HTMLSelectElement

function messageOf(control: Control, required: string): string {
  const { validity, dataset } = control
  if (validity.valueMissing) return required
  if (validity.tooShort && dataset.tooShort) return dataset.tooShort
  if ((validity.typeMismatch || validity.patternMismatch) && dataset.invalid) return dataset.invalid
  return control.validationMessage
}

/** @returns whether the form can be sent; else the first wrong field has the focus */
export function validate(form: HTMLFormElement): boolean {
  const controls = [...form.querySelectorAll<Control>('input[id], select[id]')]
  for (const control of controls)
    showError(control, control.validity.valid ? '' : messageOf(control, form.dataset.required ?? ''))
  const first = controls.find(({ validity }) => !validity.valid)
  first?.focus()
  return first === undefined
}

export function showError(control: Control, message: string): void {
  const error = document.getElementById(`${control.id}-error`)
  const text = error?.querySelector('span')
  if (!error || !text) return
  text.textContent = message
  error.hidden = message === ''
  const described = (control.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id && id !== error.id)
  if (message !== '') described.unshift(error.id)
  control.ariaInvalid = message === '' ? null : 'true'
  if (described.length > 0) control.setAttribute('aria-describedby', described.join(' '))
  else control.removeAttribute('aria-describedby')
}
