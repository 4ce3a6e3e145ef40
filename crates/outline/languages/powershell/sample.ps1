<#
.SYNOPSIS
A page of PowerShell.
#>
using namespace System.IO

param(
    [string]$Room = "low",
    [switch]$Loud
)

Set-StrictMode -Version Latest
$Most = 12

# Sides.
enum Side {
    Left
    Right = 2
}

enum Marks
{
    None = 0
    Low = 1
}

# A shelf.
class Shelf : Teller {
    [string]$Name
    hidden [int]$Taken = 0
    static [int]$Width = 3

    Shelf([string]$name) {
        $this.Name = $name
    }

    [string] Tell() {
        if ($this.Taken -gt 0) {
            return "taken"
        }
        elseif ($this.Name) {
            return $this.Name
        }
        else {
            return ""
        }
    }

    static [Shelf] Make([string]$name)
    {
        return [Shelf]::new($name)
    }
}

function Get-Box {
    <#
    .SYNOPSIS
    Gets a box.
    #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)]
        [string]$Name
    )
    begin {
        $count = 0
    }
    process {
        foreach ($one in $Name) {
            $count += 1
        }
    }
    end {
        $count
    }
}

# A plain one.
function Set-Box($Name, $Value)
{
    function Inner {
        return 1
    }
    switch ($Name) {
        "a" {
            Inner
        }
        default { $Value }
    }
    while ($true) {
        break
    }
    try {
        Get-Item $Name
    }
    catch [System.Exception] {
        throw
    }
    finally {
        "done"
    }
}

filter Only-Large { if ($_ -gt 10) { $_ } }

function global:Show-All { Get-ChildItem }

workflow Long-Work {
    Get-Date
}

$block = {
    param($x)
    $x + 1
}

1..3 | ForEach-Object {
    $_ * 2
}

$table = @{
    One = 1
    Two = 2
}
