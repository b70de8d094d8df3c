/** The parts of the library that menus, dialogs and toasts are made of, in one file that no page needs before the user acts. */
import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { Menu as BaseMenu } from '@base-ui/react/menu'
import { Toast as BaseToast } from '@base-ui/react/toast'

// Each part is named, so that the build leaves out all others.
const { Root, Portal, Backdrop, Popup, Title, Description } = BaseDialog
export const Dialog = { Root, Portal, Backdrop, Popup, Title, Description, AlertRoot: AlertDialog.Root }

export const Menu = {
  Root: BaseMenu.Root,
  Portal: BaseMenu.Portal,
  Positioner: BaseMenu.Positioner,
  Popup: BaseMenu.Popup,
  Item: BaseMenu.Item,
  Group: BaseMenu.Group,
  GroupLabel: BaseMenu.GroupLabel,
  RadioGroup: BaseMenu.RadioGroup,
  RadioItem: BaseMenu.RadioItem,
  RadioItemIndicator: BaseMenu.RadioItemIndicator,
  CheckboxItem: BaseMenu.CheckboxItem,
  CheckboxItemIndicator: BaseMenu.CheckboxItemIndicator,
  Separator: BaseMenu.Separator,
}

export const Toast = {
  Provider: BaseToast.Provider,
  Portal: BaseToast.Portal,
  Viewport: BaseToast.Viewport,
  Root: BaseToast.Root,
  Title: BaseToast.Title,
  Close: BaseToast.Close,
  useToastManager: BaseToast.useToastManager,
}
