" Does one case, which stands in $VIMCASE, and adds what became of it to the file $VIMRESULTS.
set encoding=utf-8 nocompatible backspace=indent,eol,start tabstop=4 shiftwidth=4 expandtab nrformats=bin,hex
set noautoindent nojoinspaces cpoptions=aABceFs textwidth=0 nomore report=9999
let s:case = json_decode($VIMCASE)
set undolevels=-1
call setline(1, s:case.lines)
set undolevels=1000
delmarks ^.[]
call cursor(s:case.line, s:case.column)
for s:command in s:case.typed
  try
    call feedkeys(s:command, 'xt')
  catch
  endtry
endfor
let s:type = getregtype('"')
let s:shape = s:type ==# 'v' ? 'v' : s:type ==# 'V' ? 'V' : s:type ==# '' ? '' : 'b'
let s:register = getreg('"')
if s:shape ==# 'V'
  let s:register = substitute(s:register, '\n$', '', '')
endif
let s:result = {'number': s:case.number, 'lines': getline(1, '$'), 'line': line('.'), 'column': col('.'),
      \ 'register': s:register, 'shape': s:shape}
call writefile([json_encode(s:result)], $VIMRESULTS, 'a')
qall!
